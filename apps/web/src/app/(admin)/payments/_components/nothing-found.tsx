import { Button } from '../../../../components/button.tsx';
import { Empty } from '../../../../components/empty/empty.tsx';

/** Shown when no payment matches the filters. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <Empty title="No payment fits these filters" action={<Button onClick={onClear}>Clear the filters</Button>}>
      Search finds a payment's id, the beginning of an order id, or a gateway reference.
    </Empty>
  );
}
