import type { FileWords } from '../en/files.ts';
import type { Terms } from '../terms.ts';
import { within } from './place.ts';

export const files = ({ names, slash }: Terms): FileWords => ({
  export: {
    nothing: '还没有关注任何钱包：没有可导出的内容。',
    done: (watches) =>
      `关注了 ${watches} 个钱包。可用 ${slash.import} 在这里或其他服务器导入此文件。`,
  },
  import: {
    notYours: `只有发送了该文件并能使用 \`/${names.commands.watch}\` 的人可以决定。`,
    counted: (added, changed, same) => `${added} 个新增，${changed} 个更改，${same} 个相同`,
    faultsTitle: (errors) => `${errors} 个错误：未做任何更改`,
    faults: (counted, errors) =>
      `${counted}，**${errors} 个错误**。文件不能只导入一部分：请改正后重新发送。`,
    more: (left) => `… 另有 ${left} 个`,
    nothingToDo: '无需更改：已与文件一致。',
    ask: '尚未做任何更改。请在一小时内应用，或取消。文件中没有的钱包保持不变。',
    askTyped: '尚未做任何更改。请在一小时内应用或取消。',
    nothingToAdd: '无需更改：这些钱包都已在该频道关注。',
    apply: '应用',
    cancel: '取消',
    added: (watch, channel) => `新增：${watch}，位于${within(channel).trimEnd()}`,
    changed: (watch, channel, columns) =>
      `更改（${columns}）：${watch}，位于${within(channel).trimEnd()}`,
    noName: '无名称',
    cancelledTitle: '已取消',
    appliedTitle: (added, changed) => `已导入：${added} 个新增，${changed} 个更改`,
    applied: `从现在起会发送新钱包的提醒。${slash.list} 显示全部钱包。`,
    busy: '这里正在进行另一次导入。请 1 分钟后再试。',
    brokenOff: '此次导入中断了。请再次按“应用”来完成。',
    leftAsTheyAre: (count) => `期间被他人更改、保持原样的有 ${count} 个。`,
    overtaken: '此预览之后，关注的钱包有了变化。未导入任何内容：请重新发送文件。',
    over: `此次导入已结束：已应用、已取消、已被之后的导入取代，或已超过一小时。${slash.list} 显示正在关注的钱包。`,
  },
  places: {
    file: '文件',
    line: (line) => `第 ${line} 行`,
    entry: (entry) => `第 ${entry} 项`,
    before: (place, fault) => `**${place}**：${fault}`,
  },
  faults: {
    notUtf8: '不是 UTF-8 文本。可用：以 UTF-8 保存的 CSV 或 JSON。',
    empty: '没有任何钱包。可用：每行一个。',
    noCsv: (isOpenQuote) =>
      `不是 CSV：${isOpenQuote ? '有引号未闭合' : '引号出现在不该出现的位置'}。`,
    noJson: (why) => `不是 JSON（${why}）。`,
    notList: '是 JSON，但不是列表。可用：地址列表或条目列表。',
    notEntry: '既不是地址，也不是含钱包的对象。可用：`"0x…"` 或 `{"wallet": "0x…"}`。',
    noColumn: (column, columns) => `没有列 ${column}。可用：${columns}。`,
    unknownColumn: (column, columns) => `含有未知的列 ${column}。可用：${columns}。`,
    columnTwice: (column) => `列 ${column} 出现两次。只能一次。`,
    unknownKey: (key, columns) => `含有未知的键 ${key}。可用：${columns}。`,
    keyTwice: (key) => `键 ${key} 出现两次。只能一次。`,
    object: (key) => `${key} 是对象。可用：文本、数字，或它们的列表。`,
    list: (key) => `${key} 是列表。可用：单个文本或数字。`,
    cells: (cells, accepted) => `有 ${cells} 个单元格。可用：${accepted} 个，与第一行相同。`,
    tooManyNames: (count, columns) => `有 ${count} 个名称。可用：${columns}。`,
    tooMuch: (accepted) => `过长。最多 ${accepted} 个条目；请分成两个文件。`,
    tooLong: (column, characters) => `${column} 过长。最多 ${characters} 个字符。`,
    repeated: (place) => `与${place}的钱包和频道重复。只能一次。`,
    noWallet: '缺少 wallet。可用：0x 后跟 40 位十六进制字符。',
    bothListed: (only, except) => `${only} 和 ${except} 都已填写。只能填写其中之一。`,
    tooManyListed: (column, listed, accepted) =>
      `${column} 含有 ${listed} 项。最多 ${accepted} 项。`,
    bandReversed: (min, max) => `minPriceCents ${min} 高于 maxPriceCents ${max}。请对调。`,
    noChannel: (given) =>
      `channel 不能是 ${given}。请填写此服务器频道的名称或 ID；已归档的子区请先重新打开。`,
    manyChannels: (given) => `channel 是 ${given}。有多个同名频道：请填写 ID。`,
    noRole: (given) => `mentionRole 不能是 ${given}。请填写此服务器身份组的名称或 ID。`,
    manyRoles: (given) => `mentionRole 是 ${given}。有多个同名身份组：请填写 ID。`,
    value: (column, given, accepted) => `${column} 不能是 ${given}。请填写 ${accepted}。`,
  },
  accepted: {
    usdc: '从 0 起的 USDC，例如 100 或 0.5',
    cents: '0 到 100 的美分，例如 5 或 99.5',
    seconds: (max) => `0 到 ${max} 的整数秒`,
    oneOf: (tokens) => `${tokens.join(' 或 ')}，或留空`,
    kinds: (tokens) => `${tokens}，或留空表示除 other 外的全部`,
    label: (max, length) => `最多 ${max} 个字符，这里有 ${length} 个`,
    words: (max) => `最多 ${max} 个字符的词语，须含字母或数字`,
    marketNames: (max) => `最多 ${max} 个字符的 ID 或 slug`,
    paused: 'yes、no，或截止时间，例如 2026-11-30T18:00:00Z',
    unspoiltId: (sign) => `${sign}名称、ID 或提及：此 ID 被电子表格截断了`,
    names: '以空格分隔的名称，或列表，例如 `["one","two"]`',
  },
});
