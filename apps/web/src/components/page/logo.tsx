/** The product's mark: one track that becomes two. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path d="M2 17h6c5 0 4-10 9-10h5" stroke="var(--accent)" strokeWidth="2.5" strokeLinecap="round" />
      <path d="M8 17h14" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      <circle cx="8" cy="17" r="2.6" fill="var(--ground)" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}
