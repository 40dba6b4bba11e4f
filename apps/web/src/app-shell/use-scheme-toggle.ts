import { useMantineColorScheme } from '@mantine/core';
import { useCallback } from 'react';

/** Switches between light and dark. Until first used, the system's setting applies. */
export function useSchemeToggle(): () => void {
  const { setColorScheme } = useMantineColorScheme();
  return useCallback(() => {
    const shown = document.documentElement.getAttribute('data-mantine-color-scheme');
    setColorScheme(shown === 'dark' ? 'light' : 'dark');
  }, [setColorScheme]);
}
