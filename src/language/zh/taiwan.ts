import { names } from '../en/names.ts';
import { type Texts, textsOf } from '../texts.ts';
import * as chinese from './index.ts';

/**
 * A keyboard for traditional characters does not write the simplified names of commands, so they
 * are the English ones. Permissions as Taiwan’s Discord names them.
 */
const own = {
  names,
  permissions: {
    viewChannel: '檢視頻道',
    sendMessages: '傳送訊息',
    sendMessagesInThreads: '在討論串中傳送訊息',
    embedLinks: '嵌入連結',
    readMessageHistory: '讀取訊息歷史',
    mentionEveryone: '提及 @everyone、@here 和所有身分組',
    attachFiles: '附加檔案',
    manageServer: '管理伺服器',
    manageThreads: '管理討論串',
  },
};

export const texts = (name: string | null): Texts => {
  const { commands, ...others } = textsOf(chinese)(name, own);
  const settings = {
    ...commands.settings,
    kinds: `提醒哪些，例如“buy, sell”或“opens, closes”；“${names.typed.all}”表示全部`,
    reset: `恢复默认值，例如“price, mention”；“${names.typed.all}”保留标签`,
  };
  return { ...others, commands: { ...commands, settings, languageName: '简体中文（繁體用戶端）' } };
};
