'use client';

import { useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import classes from './bar-button.module.css';

/** Between light and dark. Until it is used, the system's choice holds. */
export function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  function toggle() {
    const shown = document.documentElement.getAttribute('data-mantine-color-scheme');
    setColorScheme(shown === 'dark' ? 'light' : 'dark');
  }
  return (
    <button
      type="button"
      className={classes.button}
      onClick={toggle}
      aria-label="Switch between light and dark"
      title="Light or dark"
    >
      <IconSun size={18} stroke={1.7} className={classes.sun} aria-hidden="true" />
      <IconMoon size={18} stroke={1.7} className={classes.moon} aria-hidden="true" />
    </button>
  );
}
