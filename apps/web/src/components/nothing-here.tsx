import Link from 'next/link';
import { Mark } from './mark.tsx';
import classes from './plain-page.module.css';

/** Not found, or not visible to the viewer. */
export function NothingHere() {
  return (
    <div className={classes.page}>
      <Mark size={28} />
      <h1 className={classes.title}>There is nothing at this address</h1>
      <p className={classes.lead}>It may have been mistyped, or belong to a merchant you have no access to.</p>
      <Link href="/overview">Go to the overview</Link>
    </div>
  );
}
