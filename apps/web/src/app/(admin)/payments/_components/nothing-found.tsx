import { Button } from '../../../../components/button.tsx';
import classes from './nothing-found.module.css';

/** The filters leave nothing over. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>No payment fits these filters</h2>
      <p className={classes.lead}>Search finds a payment's id, the beginning of an order id, or a gateway reference.</p>
      <Button onClick={onClear}>Clear the filters</Button>
    </div>
  );
}
