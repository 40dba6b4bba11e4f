const ROWS = [0, 1, 2, 3, 4];

/** Placeholder of the list while it loads. */
export function GatewaysSkeleton() {
  return (
    <div role="status" aria-label="Loading gateways">
      {ROWS.map((row) => (
        <div
          key={row}
          className="grid grid-cols-[220px_minmax(0,1fr)_120px] gap-6 items-center h-14 border-b border-line"
          style={{ opacity: 1 - row / (ROWS.length + 1) }}
        >
          <span className="h-3.5 rounded-sm bg-ground-hover" />
          <span className="h-3.5 rounded-sm bg-ground-hover" />
          <span className="h-3.5 rounded-sm bg-ground-hover" />
        </div>
      ))}
    </div>
  );
}
