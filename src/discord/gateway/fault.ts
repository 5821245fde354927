/**
 * Whether an uncaught error comes from discord.js's handling of the gateway: a packet that arrives
 * while a session ends throws there (its RESUMED handler reads a session that is gone). The
 * connection is still re-established. A bundle has no file names to recognize it by, so this
 * compares the class names in the stack frames, which get a number if two classes have the same
 * name.
 */
export function isGatewayFault(error: unknown): boolean {
  const [thrower = '', caller = ''] = framesOf(error);
  // A packet handler has no name except that of its packet.
  return (
    /at (?:async )?(?:WebSocket(?:Shard|Manager)|_?Simple(?:ShardingStrategy|IdentifyThrottler|ContextFetchingStrategy))\d*\./.test(
      thrower,
    ) || /at WebSocketManager\d*\.handlePacket /.test(caller)
  );
}

/** Returns the frames of an error's stack, the innermost first. */
export function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}
