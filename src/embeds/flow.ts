/** Which way USDC went, as the wallet sees it; `net`: neither. */
export interface SignedFlow {
  readonly direction: 'paid' | 'received' | 'net';
  /** Not negative. */
  readonly usdc: number;
}

/**
 * The venue's sign rule: a positive `transferNetAmount` left the wallet, a negative one came back to it. The sign decides
 * even where the action suggests the opposite.
 */
export function readFlow(transferNetAmount: number): SignedFlow {
  if (transferNetAmount > 0) return { direction: 'paid', usdc: transferNetAmount };
  if (transferNetAmount < 0) return { direction: 'received', usdc: -transferNetAmount };
  return { direction: 'net', usdc: transferNetAmount };
}
