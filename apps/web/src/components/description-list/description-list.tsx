import type { ReactNode } from 'react';

/** Facts with their names, one a line. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-0.5">{children}</dl>;
}

/** One fact; left out when it has no value. */
export function Description({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <div className="grid grid-cols-[132px_minmax(0,1fr)] items-baseline gap-3 py-1 text-sm">
      <dt className="text-ink-faint">{name}</dt>
      <dd className={`min-w-0 wrap-anywhere ${strong ? 'font-semibold' : ''}`}>{children}</dd>
    </div>
  );
}
