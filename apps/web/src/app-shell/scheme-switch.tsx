'use client';

import { IconMoon, IconSun } from '@tabler/icons-react';
import { toggleColourScheme } from '../theme/colour-scheme.tsx';
import classes from './bar-button.module.css';

/** Switches between light and dark; on a narrow bar it is in the account's menu. */
export function SchemeSwitch() {
  return (
    <button
      type="button"
      className={`${classes.button} ${classes.roomy}`}
      onClick={toggleColourScheme}
      aria-label="Switch between light and dark"
      title="Light or dark"
    >
      <IconSun size={18} stroke={1.7} className={classes.sun} aria-hidden="true" />
      <IconMoon size={18} stroke={1.7} className={classes.moon} aria-hidden="true" />
    </button>
  );
}
