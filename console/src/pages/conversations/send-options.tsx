/** When a message is sent, and whether pacing holds it. */
import { Checkbox, TextField } from '../../kit/field.tsx';
import { localInput } from './reschedule.tsx';

export interface Sending {
  /** Of `<input type="datetime-local">`; empty: at once. */
  readonly at: string;
  readonly skipPacing: boolean;
  /** Counts with a time. */
  readonly cancelOnReply: boolean;
}

export const sendingAtFirst: Sending = { at: '', skipPacing: false, cancelOnReply: false };

/** The fields of a request. */
export const sendingFields = ({ at, skipPacing, cancelOnReply }: Sending) => ({
  ...(at && { scheduled_at: new Date(at).toISOString() }),
  ...(at && cancelOnReply && { cancel_on_reply: true }),
  ...(skipPacing && { pacing: { skip: true } }),
});

export function SendOptions({
  sending,
  isReply = false,
  onChange,
}: {
  readonly sending: Sending;
  /** Into a conversation, in which somebody may answer first. */
  readonly isReply?: boolean;
  readonly onChange: (sending: Sending) => void;
}) {
  return (
    <details className="fold send-options">
      <summary>Send later, pacing</summary>
      <TextField
        label="Send at"
        type="datetime-local"
        hint="Empty: at once. At most 30 days ahead."
        min={localInput(new Date())}
        value={sending.at}
        onChange={(event) => onChange({ ...sending, at: event.target.value })}
      />
      {isReply && (
        <Checkbox
          label="Cancel it if a person answers before that time"
          checked={sending.cancelOnReply && sending.at !== ''}
          disabled={sending.at === ''}
          onChange={(event) => onChange({ ...sending, cancelOnReply: event.target.checked })}
        />
      )}
      <Checkbox
        label="Do not hold it by pacing rules"
        checked={sending.skipPacing}
        onChange={(event) => onChange({ ...sending, skipPacing: event.target.checked })}
      />
    </details>
  );
}
