/** The files of a message that is written: chosen, or dropped anywhere on the form. */
import { type DragEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { classes } from '../kit/classes.ts';
import { type ChosenFile, chosenFiles, filesBytesMax } from './files.ts';
import { sizeText } from './message-view.tsx';

interface FileDropProps {
  readonly files: readonly ChosenFile[];
  readonly onFiles: (files: readonly ChosenFile[]) => void;
  readonly children: ReactNode;
}

export function FileDrop({ files, onFiles, children }: FileDropProps) {
  const [isOver, setIsOver] = useState(false);
  const [error, setError] = useState('');
  const id = useId();
  const add = async (list: Iterable<File>) => {
    const all = [...files, ...(await chosenFiles(list))];
    const isTooMuch = all.reduce((sum, { bytes }) => sum + bytes, 0) > filesBytesMax;
    setError(isTooMuch ? `The files have more than ${sizeText(filesBytesMax)} together.` : '');
    if (!isTooMuch) onFiles(all);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void add(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen by the field below, too.
    <div
      className={classes('file-drop', isOver && 'over')}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {children}
      <label htmlFor={id} className="attach">
        Attach files, or drop them here
        <input id={id} type="file" multiple onChange={(event) => void add(event.target.files ?? [])} />
      </label>
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
      {files.length > 0 && (
        <ul className="files" aria-label="Attached files">
          {files.map(({ filename, bytes }, at) => (
            <li key={at}>
              <bdi>{filename}</bdi> <span className="soft">{sizeText(bytes)}</span>
              <Button
                kind="quiet"
                small
                aria-label={`Remove ${filename}`}
                onClick={() => onFiles(files.filter((_, index) => index !== at))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
