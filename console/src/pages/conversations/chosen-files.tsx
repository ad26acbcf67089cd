/** Files for a message: dropped on the form, or chosen. */
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { fileSize } from './words.ts';

/** All files of a message; the library uploads those that do not fit into the request. */
const bytesMax = 26_214_400;

/** Whether a message with these files can be sent from here. */
export const filesFit = (files: readonly File[]): boolean =>
  files.reduce((sum, { size }) => sum + size, 0) <= bytesMax;

export function DropZone({
  onFiles,
  children,
}: {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    <fieldset
      className={isOver ? 'drop-zone is-over' : 'drop-zone'}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </fieldset>
  );
}

export function ChosenFiles({
  files,
  onChange,
}: {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="chosen-files">
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onChange([...files, ...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button small onClick={() => input.current?.click()}>
        <Icon name="file" /> Attach files
      </Button>
      <span className="soft">or drop them here, 25 MB in all</span>
      {!filesFit(files) && (
        <p className="error" role="alert">
          The files have more than 25 MB in all. Remove some.
        </p>
      )}
      {files.length > 0 && (
        <ul className="files" aria-label="Files to send">
          {files.map((file, at) => (
            <li key={`${at} ${file.name}`} className="file">
              <Icon name="file" />
              <span className="file-name">{file.name}</span>
              <span className="soft">{fileSize(file.size)}</span>
              <IconButton
                small
                label={`Remove ${file.name}`}
                onClick={() => onChange(files.filter((other) => other !== file))}
              >
                <Icon name="close" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
