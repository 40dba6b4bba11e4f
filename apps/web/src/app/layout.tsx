import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../theme/tokens.css';
import '../theme/utilities.css';
import '../theme/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { viewerZone } from '../format/zone.ts';
import { ColourSchemeScript, colourSchemeProps } from '../theme/colour-scheme.tsx';

export const metadata: Metadata = {
  title: { default: 'Switchyard', template: '%s · Switchyard' },
  description: 'An open payment switch',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1113' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    <html lang="en" data-zone={viewerZone()} {...colourSchemeProps}>
      <head>
        <link rel="preload" as="font" type="font/woff2" href={inter} crossOrigin="anonymous" />
        <ColourSchemeScript nonce={nonce} />
      </head>
      <body>
        {/* Style elements of controls carry no nonce: the content policy would refuse them. */}
        <CSPProvider disableStyleElements>{children}</CSPProvider>
      </body>
    </html>
  );
}
