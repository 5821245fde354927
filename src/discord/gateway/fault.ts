/**
 * Tells whether an error that nobody caught comes from discord.js's handling of the gateway: a
 * packet that arrives while a session ends throws there (its RESUMED handler reads a gone session).
 * The connection is made anew all the same. In a bundle there are no files to know it by: the
 * frames name classes, with a number where two have the same name.
 */
export function isGatewayFault(error: unknown): boolean {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [thrower = '', caller = ''] = stack.split('\n').filter((line) => /^\s+at /.test(line));
  // A handler of packets has no name but that of its packet.
  return (
    /at (?:async )?(?:WebSocket(?:Shard|Manager)|_?Simple(?:ShardingStrategy|IdentifyThrottler|ContextFetchingStrategy))\d*\./.test(
      thrower,
    ) || /at WebSocketManager\d*\.handlePacket /.test(caller)
  );
}
