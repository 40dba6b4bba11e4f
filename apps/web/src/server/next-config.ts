import createMdx from '@next/mdx';
import type { NextConfig } from 'next';

// Set before Next reads it: no telemetry leaves this installation.
process.env.NEXT_TELEMETRY_DISABLED = '1';

const DAY_SECONDS = 86_400;

/** Headers of every answer; the content policy differs per request and is set in `src/proxy.ts`. */
const securityHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  // Browsers apply it over https only.
  { key: 'Strict-Transport-Security', value: `max-age=${365 * DAY_SECONDS}; includeSubDomains` },
];

/** Settings of Next, of its build and of each web process. */
const config: NextConfig = {
  agentRules: false,
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  // `npm run dev` is reached by either name of this machine.
  allowedDevOrigins: ['127.0.0.1'],
  devIndicators: false,
  // `npm test` checks the types of the whole repository; a build would check these once more.
  typescript: { ignoreBuildErrors: true },
  // Nine megabytes of text, which a build would copy.
  serverExternalPackages: ['@graphql-yoga/render-graphiql'],
  experimental: {
    optimizePackageImports: ['@tabler/icons-react'],
    // Writing it takes a third of a build, and builds are rare: `npm run dev` has a cache of its own.
    turbopackFileSystemCacheForBuild: false,
    // Nothing that runs reads those of a build.
    turbopackSourceMaps: process.env.NODE_ENV !== 'production',
  },
  // A route cannot end in letters of its own after a parameter.
  rewrites: () =>
    Promise.resolve([
      { source: '/docs.md', destination: '/llms.txt' },
      { source: '/docs/:page([\\w-]+).md', destination: '/docs/markdown/:page' },
    ]),
  headers: () =>
    Promise.resolve([
      { source: '/:path*', headers: securityHeaders },
      // The address is a secret.
      { source: '/report-files/:token', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    ]),
};

/** Pages of documentation are MDX. Turbopack takes the names of plugins only. */
export default createMdx({ options: { remarkPlugins: ['remark-gfm'] } })(config);
