/** When a message is sent, and whether pacing holds it. */
import { Checkbox, TextField } from '../../kit/field.tsx';
import { localInput } from './reschedule.tsx';

export interface Sending {
  /** Of `<input type="datetime-local">`; empty: at once. */
  readonly at: string;
  readonly skipPacing: boolean;
}

export const sendingAtFirst: Sending = { at: '', skipPacing: false };

/** The fields of a request. */
export const sendingFields = ({ at, skipPacing }: Sending) => ({
  ...(at && { scheduled_at: new Date(at).toISOString() }),
  ...(skipPacing && { pacing: { skip: true } }),
});

export function SendOptions({
  sending,
  onChange,
}: {
  readonly sending: Sending;
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
      <Checkbox
        label="Do not hold it by pacing rules"
        checked={sending.skipPacing}
        onChange={(event) => onChange({ ...sending, skipPacing: event.target.checked })}
      />
    </details>
  );
}
