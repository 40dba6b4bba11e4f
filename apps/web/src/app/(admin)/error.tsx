'use client';

import { PageFailed } from '#/components/page/page-failed.tsx';

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageFailed code={error.digest} onRetry={reset} />;
}
