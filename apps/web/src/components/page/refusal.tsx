import classes from './refusal.module.css';

/** Shows what the server refused, above the fields; screen readers announce it as it appears. */
export function Refusal({ message }: { message: string | null }) {
  return (
    <div role="alert" className={message === null ? undefined : classes.refusal}>
      {message}
    </div>
  );
}
