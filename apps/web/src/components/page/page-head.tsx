import type { ReactNode } from 'react';

/** The head of a page: its title, and its actions beside it, or below where it is long. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 min-h-9 mb-4">
      <h1 className="flex-auto wrap-anywhere text-2xl font-semibold leading-[1.25] tracking-[-0.015em] max-phone:[order:-2]">
        {title}
      </h1>
      {children}
    </div>
  );
}
