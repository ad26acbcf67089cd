/** Asks before an inbound rule is deleted: what changes. */
import type { InboundRule } from 'parley-client';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { useHasAllowRules } from './rule-queries.ts';
import { lossText, type SpaceNames } from './rule-words.ts';

interface Removing {
  readonly names: SpaceNames;
  readonly onClose: () => void;
  /** After the deletion. */
  readonly onDone?: () => void;
}

export function RemoveRule({ rule, ...rest }: Removing & { readonly rule: InboundRule | null }) {
  return rule && <Asking rule={rule} {...rest} />;
}

function Asking({ rule, names, onClose, onDone = onClose }: Removing & { readonly rule: InboundRule }) {
  const others = useHasAllowRules(rule, rule.id, rule.action === 'allow');
  const remove = useAction(() => parley.inboundRules.delete(rule.id), {
    changed: [['inbound-rules']],
    gone: ['inbound-rules', 'one', rule.id],
    done: 'The rule is deleted',
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete the rule for ${visibleText(rule.pattern)}?`}
      loses={
        <>
          <p>{lossText(rule, names, others)}</p>
          <p>Mail that was blocked before stays blocked, until it is let in.</p>
        </>
      }
      action="Delete rule"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDone })}
    />
  );
}
