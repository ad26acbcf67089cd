/** Modal dialogs; Base UI keeps the focus within and gives it back. */
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { ProblemNotice } from './problem-notice.tsx';

export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

export function Dialog({ isOpen, onClose, title, children, isWide }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={isWide ? 'dialog wide' : 'dialog'}>
          <header>
            <Base.Title>{title}</Base.Title>
            <Base.Close className="button quiet icon-only" aria-label="Close">
              <Icon name="close" />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A question: "Delete the domain acme.dev?" */
  readonly title: string;
  /** What is lost, as a sentence. */
  readonly loses: ReactNode;
  /** The verb of the button: "Delete domain". */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
  readonly error?: unknown;
}

/** Before something is lost. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  loses,
  action,
  onConfirm,
  isBusy,
  error,
}: ConfirmDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <div className="dialog-text">{loses}</div>
      <ProblemNotice error={error} />
      <footer>
        <Button onClick={onClose}>Keep</Button>
        <Button kind="danger" onClick={onConfirm} isBusy={isBusy}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
