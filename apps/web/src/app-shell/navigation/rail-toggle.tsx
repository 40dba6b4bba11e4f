'use client';

import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { useState } from 'react';
import { rememberInCookie } from '../remember.ts';
import { RAIL_COOKIE } from './rail.ts';

/** Collapses the navigation to its icons, and back; the choice is stored. */
export function RailToggle({ initial }: { initial: boolean }) {
  const [rail, setRail] = useState(initial);
  function toggle() {
    setRail(!rail);
    rememberInCookie(RAIL_COOKIE, rail ? 'off' : 'on');
    document.getElementById('frame')?.setAttribute('data-rail', String(!rail));
  }
  const label = rail ? 'Expand navigation' : 'Collapse navigation';
  const Glyph = rail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <button
      type="button"
      className="grid place-items-center self-start w-9 h-8 rounded-lg text-ink-faint hover:bg-ground-hover hover:text-ink"
      onClick={toggle}
      aria-label={label}
      title={label}
    >
      <Glyph size={18} stroke={1.7} aria-hidden="true" />
    </button>
  );
}
