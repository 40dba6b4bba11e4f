import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { describeLength } from '#/format/moments.ts';
import type { Mode } from '#/scope/scope.ts';
import type { PreviewSum } from './preview-table.tsx';

/** Confirmation before thresholds are applied, with the changes and their effect on past outcomes. */
export function PublishDialog({
  merchantName,
  mode,
  changed,
  sum,
  busy,
  onConfirm,
  onClose,
}: {
  merchantName: string;
  mode: Mode;
  changed: readonly { readonly label: string; readonly from: string; readonly to: string; readonly unit: string }[];
  sum: PreviewSum;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={`Publish thresholds of ${merchantName}?`} onClose={onClose}>
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
        <strong>{times(sum.proposed.degraded)}</strong> instead of {times(sum.inForce.degraded)}, in trouble for{' '}
        <strong>{length(sum.proposed.unhealthyMs)}</strong> instead of {length(sum.inForce.unhealthyMs)}.
      </p>
      <DialogActions onCancel={onClose}>
        <Button variant="accent" onClick={onConfirm} loading={busy} autoFocus>
          Publish thresholds
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function length(ms: number): string {
  return ms === 0 ? 'no time' : describeLength(ms);
}
