/** Penstock's logo: a bent pipe. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path
        d="M9 24V8h7.5a5.5 5.5 0 0 1 0 11H13"
        fill="none"
        className="stroke-accent-ink"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
