'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { Popup } from '../popup/popup.tsx';
import classes from './filter-bar.module.css';

/** A filter that opens: its name, what it is set to, and the choices, which may be loaded when it is opened. */
export function FilterMenu({
  label,
  value,
  width,
  children,
}: {
  label: string;
  value: string;
  width?: number;
  children: ReactNode;
}) {
  const face = (
    <>
      {label}
      {value !== '' && <strong className="text-accent-ink font-medium truncate">{value}</strong>}
      <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label={label}
      align="start"
      {...(width !== undefined && { width })}
      button={{ className: classes.filter, 'data-set': value !== '', children: face }}
      content={() => (
        <Suspense
          fallback={<div className="w-44 h-35 rounded-sm bg-ground-quiet" role="status" aria-label="Loading the choices" />}
        >
          {children}
        </Suspense>
      )}
    />
  );
}
