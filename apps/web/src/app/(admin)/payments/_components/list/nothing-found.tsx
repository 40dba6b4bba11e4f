import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';

/** Shown when no payment matches the filters. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title="No payments match these filters" action={<Button onClick={onClear}>Clear the filters</Button>}>
      Search finds payments by ID, order, gateway reference, transaction ID, and the customer's e-mail or ID. A phone number is
      found whole or by its last four digits or more, not by its beginning.
    </EmptyState>
  );
}
