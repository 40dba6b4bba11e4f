import Link from 'next/link';
import classes from '../sign-in.module.css';

/** The one-time link is no longer valid. */
export function InvalidLink({ title, message }: { title: string; message: string }) {
  return (
    <div className="grid gap-4" role="status">
      <h1 className={classes.title}>{title}</h1>
      <p className="text-ink-quiet text-sm">{message}</p>
      <div className="flex justify-between">
        <Link className={classes.link} href="/sign-in">
          Go to sign-in
        </Link>
      </div>
    </div>
  );
}
