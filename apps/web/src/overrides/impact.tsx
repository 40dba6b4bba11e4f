import type { ReactNode } from 'react';

/** The choice to end a drain by itself. */
export const PUT_BACK = {
  label: 'Put back by itself when recovered',
  description: 'After five minutes without trouble. Its first checkouts are probe payments.',
} as const;

/** Effect of an override on payments, in the dialog that asks for it. */
export function Impact({ children }: { children: ReactNode }) {
  return <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-ink text-sm">{children}</p>;
}
