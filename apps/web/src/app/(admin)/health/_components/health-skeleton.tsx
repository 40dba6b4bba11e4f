import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';

const ACCOUNTS = [3, 4, 3];

/** Placeholder of the page while it loads. */
export function HealthSkeleton() {
  return (
    <div role="status" aria-label="Loading health" className="grid gap-7">
      {ACCOUNTS.map((rows, account) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
        <div key={account} className="grid gap-2.5" style={{ opacity: 1 - account / (ACCOUNTS.length + 1) }}>
          <span className="w-[220px] max-w-[60%] h-4.5 rounded-sm bg-ground-hover" />
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
            <span key={row} className="h-12 rounded-sm bg-ground-quiet" />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Shown when the page's data could not be loaded. */
export function HealthFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="grid gap-4 justify-items-start max-w-[560px] py-6">
      <Refusal message={message} />
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
