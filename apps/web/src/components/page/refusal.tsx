/** Shows what the server refused, above the fields; screen readers announce it as it appears. */
export function Refusal({ message }: { message: string | null }) {
  return (
    <div
      role="alert"
      className={message === null ? undefined : 'py-2 px-3 border-l-3 border-bad bg-bad-soft text-bad-ink text-sm'}
    >
      {message}
    </div>
  );
}
