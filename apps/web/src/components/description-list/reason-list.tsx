'use client';

import { IconAlertTriangle, IconInfoCircle, IconUrgent } from '@tabler/icons-react';
import classes from './reason-list.module.css';

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
        <li key={index} className={classes.reason} data-severity={reason.severity}>
          <SeverityGlyph severity={reason.severity} />
          <p>
            <strong>{reason.title}.</strong> {reason.message}
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
      return <IconInfoCircle {...props} />;
    case 'warning':
      return <IconAlertTriangle {...props} />;
    case 'critical':
      return <IconUrgent {...props} />;
    default:
      return severity satisfies never;
  }
}
