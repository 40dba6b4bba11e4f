'use client';

import { IconAlertTriangle, IconInfoCircle, IconUrgent } from '@tabler/icons-react';

interface Reason {
  readonly title: string;
  readonly message: string;
  readonly severity: 'info' | 'warning' | 'critical';
}

/** Reasons of a routing decision, in its order. */
export function ReasonList({ reasons }: { reasons: readonly Reason[] }) {
  return (
    <ul className="grid gap-2 mt-1" aria-label="Reasons">
      {reasons.map((reason, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reasons are in a fixed order and two may be alike.
        <li key={index} className="grid grid-cols-[16px_minmax(0,1fr)] gap-2.5 text-sm">
          <SeverityGlyph severity={reason.severity} />
          <p className="text-ink-quiet">
            <strong className="text-ink font-semibold">{reason.title}.</strong> {reason.message}
          </p>
        </li>
      ))}
    </ul>
  );
}

function SeverityGlyph({ severity }: { severity: Reason['severity'] }) {
  const props = { size: 16, stroke: 1.8, 'aria-label': severity, role: 'img' } as const;
  switch (severity) {
    case 'info':
      return <IconInfoCircle {...props} className="mt-px text-ink-faint" />;
    case 'warning':
      return <IconAlertTriangle {...props} className="mt-px text-wait-ink" />;
    case 'critical':
      return <IconUrgent {...props} className="mt-px text-bad-ink" />;
    default:
      return severity satisfies never;
  }
}
