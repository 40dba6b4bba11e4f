const ROWS = Array.from({ length: 14 }, (_, index) => index);

/** Placeholder of a list while it loads: rows of the height of its own. */
export function ListSkeleton({ noun }: { noun: string }) {
  return (
    <div className="border-t border-line" role="status" aria-label={`Loading ${noun}`}>
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
