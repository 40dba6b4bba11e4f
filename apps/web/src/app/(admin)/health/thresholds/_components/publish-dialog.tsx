import { describeLength } from '#/format/moments.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
import type { Mode } from '#/scope/scope.ts';
import type { PreviewSum } from './preview-table.tsx';

/** Confirmation before thresholds are applied, with the changes and their effect on past outcomes. */
export function PublishDialog({
  merchantName,
  mode,
  changed,
  sum,
  onConfirm,
  onClose,
}: {
  merchantName: string;
  mode: Mode;
  changed: readonly { readonly label: string; readonly from: string; readonly to: string; readonly unit: string }[];
  sum: PreviewSum;
  onConfirm: () => Promise<null>;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={`Publish thresholds of ${merchantName}?`}
      action="Publish thresholds"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul className="grid gap-1 text-sm tabular-nums">
        {changed.map(({ label, from, to, unit }) => (
          <li key={label}>
            {label}: {from} → <strong>{to}</strong> {unit}
          </li>
        ))}
      </ul>
      <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
        All {mode} payments are routed by them within seconds. Last month, accounts would have been down{' '}
        <strong>{times(sum.proposed.down)}</strong> instead of {times(sum.inForce.down)} and degraded{' '}
        <strong>{times(sum.proposed.degraded)}</strong> instead of {times(sum.inForce.degraded)}, unhealthy for{' '}
        <strong>{length(sum.proposed.unhealthyMs)}</strong> instead of {length(sum.inForce.unhealthyMs)}.
      </p>
    </ConfirmDialog>
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function length(ms: number): string {
  return ms === 0 ? 'no time' : describeLength(ms);
}
