'use client';

import { createTheme, type MantineColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import './mantine-tokens.css';

const theme = createTheme({ respectReducedMotion: true, cursorType: 'pointer' });

/** The colour scheme belongs to the page (`theme/colour-scheme.tsx`): no component reads or sets it. */
const noScheme: MantineColorSchemeManager = {
  get: (scheme) => scheme,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

/**
 * What a component of Mantine needs around it. It stands in files that are loaded on first use, so that no page loads Mantine
 * before one of its components is opened. Colours and sizes come from `mantine-tokens.css`.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={noScheme}
      getRootElement={() => undefined}
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
