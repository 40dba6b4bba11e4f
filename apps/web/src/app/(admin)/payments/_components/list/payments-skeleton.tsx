import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';

const ROWS = Array.from({ length: 14 }, (_, index) => index);

/** Placeholder of the list while it loads. */
export function PaymentsSkeleton() {
  return (
    <div className="border-t border-line" role="status" aria-label="Loading payments">
      {ROWS.map((row) => (
        <div
          key={row}
          className="grid grid-cols-[90px_100px_minmax(0,1fr)_110px] gap-6 items-center h-10 border-b border-line"
          style={{ opacity: 1 - row / (ROWS.length + 2) }}
        >
          <span className="h-3 rounded-sm bg-ground-hover" />
          <span className="h-3 rounded-sm bg-ground-hover" />
          <span className="max-w-80 h-3 rounded-sm bg-ground-hover" />
          <span className="h-3 rounded-sm bg-ground-hover" />
        </div>
      ))}
    </div>
  );
}

/** Shown when the list could not be loaded. */
export function ListFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="grid gap-4 justify-items-start max-w-[560px] py-6">
      <Refusal message={message === '' ? 'The list could not be loaded.' : message} />
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
