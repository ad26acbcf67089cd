/** The files of a message, with the text that was read from them. */
import { useQuery } from '@tanstack/react-query';
import type { Attachment } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { Button } from '../../kit/button.tsx';
import { markedLine } from '../../kit/hidden-characters.ts';
import { Icon } from '../../kit/icon.tsx';
import { MarkedText } from '../../kit/marked-text.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Spinner } from '../../kit/progress.tsx';
import { fileSize } from './words.ts';

export function Files({
  emailId,
  files,
}: {
  readonly emailId: string;
  readonly files: readonly Attachment[];
}) {
  if (files.length === 0) return null;
  return (
    <ul className="files" aria-label="Files">
      {files.map((file) => (
        <File key={file.id} emailId={emailId} file={file} />
      ))}
    </ul>
  );
}

function File({ emailId, file }: { readonly emailId: string; readonly file: Attachment }) {
  const [isOpen, setOpen] = useState(false);
  const { preparation } = file;
  return (
    <li>
      <div className="file">
        <Icon name="file" />
        <a href={file.download_url} className="file-name">
          {markedLine(file.filename)}
        </a>
        <span className="soft">{fileSize(file.size)}</span>
        {preparation?.content_url && (
          <Button small kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide text' : 'Read text'}
          </Button>
        )}
      </div>
      {preparation?.warnings.map((warning) => (
        <p key={warning} className="soft file-warning">
          {warning}
        </p>
      ))}
      {isOpen && <FileText emailId={emailId} id={file.id} />}
    </li>
  );
}

/** The email has it: the store of files is another origin, which the page's policy does not let it read. */
function FileText({ emailId, id }: { readonly emailId: string; readonly id: string }) {
  const query = useQuery({
    queryKey: ['attachments', id],
    queryFn: async () => {
      const email = await parley.emails.retrieve(emailId, { include: 'attachment_content' });
      return email.attachments.find((file) => file.id === id)?.preparation?.text ?? '';
    },
  });
  if (query.isPending) return <Spinner label="Reading the text" />;
  if (query.error) return <ProblemNotice error={query.error} />;
  return (
    <pre className="file-text">
      <MarkedText text={query.data} />
    </pre>
  );
}
