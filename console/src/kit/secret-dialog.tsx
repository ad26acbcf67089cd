/** A secret that is shown once. */
import { Button } from './button.tsx';
import { CopyValue } from './copy.tsx';
import { Dialog } from './dialog.tsx';

export function SecretDialog({
  secret,
  title,
  children,
  onClose,
}: {
  /** null: the dialog is closed. */
  readonly secret: string | null;
  readonly title: string;
  /** What it is for, and what to do if it is lost. */
  readonly children: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog isOpen={secret !== null} onClose={onClose} title={title}>
      <p>
        <strong>Copy it now: it is not shown again.</strong> {children}
      </p>
      <div className="secret">{secret && <CopyValue text={secret} what="the secret" />}</div>
      <footer>
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </footer>
    </Dialog>
  );
}
