/** The program of the child process that extracts the text of files. */
import { extractText } from './extract-text.ts';
import { serveFiles } from './serve-files.ts';

serveFiles(extractText);
