import type { WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';

/** State of an endpoint in this run. */
const newEndpoint = () => ({
  /** Venue time of the newest accepted page, in Unix seconds; null if there was none. */
  takenSeconds: null as number | null,
  /**
   * True if the last page was accepted and settled everything, so an identical page brings nothing
   * new.
   */
  isSettled: true,
  /**
   * Identities of the records on the last page that are dated too far ahead and have been logged.
   */
  refusedNames: [] as readonly string[],
});

export type EndpointRun = ReturnType<typeof newEndpoint>;

/** State of the wallets' endpoints in this run. Nothing of it is stored. */
export function createEndpointRuns() {
  const wallets = new Map<WalletAddress, Readonly<Record<EndpointName, EndpointRun>>>();
  return {
    /** Returns an endpoint's state. Callers change the object itself. */
    of(wallet: WalletAddress, name: EndpointName) {
      const endpoints = wallets.get(wallet) ?? {
        activity: newEndpoint(),
        'deposits-withdrawals': newEndpoint(),
      };
      wallets.set(wallet, endpoints);
      return endpoints[name];
    },
    /** Venue time of the newest accepted page, in Unix seconds; null if there was none. */
    takenSeconds: (wallet: WalletAddress, name: EndpointName): number | null =>
      wallets.get(wallet)?.[name].takenSeconds ?? null,
    forget: (wallet: WalletAddress) => wallets.delete(wallet),
  };
}
