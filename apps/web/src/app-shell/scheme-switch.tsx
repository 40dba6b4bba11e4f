'use client';

import { IconMoon, IconSun } from '@tabler/icons-react';
import { toggleColourScheme } from '../theme/colour-scheme.tsx';

/** Switches between light and dark; on a narrow bar it is in the account's menu. */
export function SchemeSwitch() {
  return (
    <button
      type="button"
      className="icon-button max-[480px]:hidden"
      onClick={toggleColourScheme}
      aria-label="Switch between light and dark"
      title="Light or dark"
    >
      <IconSun size={18} stroke={1.7} className="[:root[data-colour-scheme=light]_&]:hidden" aria-hidden="true" />
      <IconMoon size={18} stroke={1.7} className="[:root[data-colour-scheme=dark]_&]:hidden" aria-hidden="true" />
    </button>
  );
}
