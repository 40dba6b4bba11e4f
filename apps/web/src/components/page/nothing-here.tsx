import Link from 'next/link';
import { Logo } from './logo.tsx';
import classes from './plain-page.module.css';

/** Not found, or not visible to the viewer. */
export function NothingHere() {
  return (
    <div className={classes.page}>
      <Logo size={28} />
      <h1 className={classes.title}>Page not found</h1>
      <p className={classes.lead}>The address may be mistyped, or belong to a merchant you cannot access.</p>
      <Link href="/overview">Go to overview</Link>
    </div>
  );
}
