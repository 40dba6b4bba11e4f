import { useMantineColorScheme } from '@mantine/core';
import { useCallback } from 'react';

/** Goes over from light to dark, or back. Until it is used, the system's choice holds. */
export function useSchemeToggle(): () => void {
  const { setColorScheme } = useMantineColorScheme();
  return useCallback(() => {
    const shown = document.documentElement.getAttribute('data-mantine-color-scheme');
    setColorScheme(shown === 'dark' ? 'light' : 'dark');
  }, [setColorScheme]);
}
