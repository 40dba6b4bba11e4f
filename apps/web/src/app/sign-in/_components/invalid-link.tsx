import Link from 'next/link';
import classes from '../sign-in.module.css';

/** The one-time link is no longer valid. */
export function InvalidLink({ title, message }: { title: string; message: string }) {
  return (
    <div className={classes.fields} role="status">
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.lead}>{message}</p>
      <div className={classes.links}>
        <Link className={classes.link} href="/sign-in">
          Go to sign-in
        </Link>
      </div>
    </div>
  );
}
