import classes from './refusal.module.css';

/** Says what the server refused, above the fields; read out as it appears. */
export function Refusal({ message }: { message: string | null }) {
  return (
    <div role="alert" className={message === null ? undefined : classes.refusal}>
      {message}
    </div>
  );
}
