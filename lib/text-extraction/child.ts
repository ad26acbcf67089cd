/** The program of the child process that extracts the text of one file. */
import { extractText } from './extract-text.ts';
import { serveOneFile } from './serve-one-file.ts';

serveOneFile(extractText);
