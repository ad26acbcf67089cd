import type { ReplyPhrases } from '../phrases.ts';

export const chinese: ReplyPhrases = {
  language: 'zh',
  title: 'Chinese',
  authors: ['王芳', '李建国'],
  senders: ['张伟', '陈美玲'],
  greetings: ['您好，', '张先生：', '你好', '各位同事，'],
  bodies: [
    '谢谢您的信息，请取消我的订单4711。',
    '非常感谢您的快速回复。包裹今天到了。\n\n可以把发票发给我吗？',
    '请把送货地址改为\n\n王芳\n北京市朝阳区建国路12号\n100022\n\n因为我搬家了。',
    '先谢谢您的检查，我们周五之前需要',
    '可以，没问题。',
    '感谢并请确认第二个问题。\n\n周一的会议照常。',
  ],
  closings: [
    '此致\n敬礼',
    '谢谢！',
    '祝好，',
    '此致敬礼',
    '顺祝商祺！',
    '谢谢，',
    '祝好 / Best regards',
    '敬上',
  ],
  contacts: [
    '销售经理\n北京某某有限公司\n电话：010-12345678',
    '某某公司\n手机：13800138000\nwww.acme.example',
    '客户服务部\nwang@acme.example',
    '电话 021-87654321',
  ],
  footers: [
    '发自我的 iPhone',
    '发自我的iPhone',
    '获取 Outlook for iOS',
    '发送自 Windows 版邮件应用',
    '发自我的华为手机',
    '发自网易邮箱大师',
  ],
  quotes: ['您好，\n\n您的订单4711今天已发货。\n\n某某团队', '您好，\n\n请问有什么可以帮您？\n\n陈美玲'],
  attributions: [
    ['Gmail', '{name} <{address}> 于2024年3月12日周二 10:04写道：'],
    ['Yahoo web', '2024年3月12日星期二 上午10:04:05 [GMT+8]，{name}<{address}> 写道：'],
    ['Apple Mail', '2024年3月12日 10:04，{name} <{address}> 写道：'],
    ['Thunderbird', '在 2024/3/12 10:04, {name} 写道:'],
    ['NetEase', '在 2024-03-12 10:04:05，"{name}" <{address}> 写道：'],
    ['Gmail', '{name} <{address}> 於 2024年3月12日 週二 上午10:04寫道：'],
  ],
  headers: [
    [
      'Outlook',
      '发件人: {name} <{address}>\n发送时间: 2024年3月12日 10:04\n收件人: 王芳 <wang@b.example>\n主题: 答复: 订单4711',
    ],
    [
      'QQ',
      '------------------ 原始邮件 ------------------\n发件人: "{name}" <{address}>;\n发送时间: 2024年3月12日(星期二) 上午10:04\n收件人: "王芳"<wang@b.example>;\n主题: 订单4711',
    ],
    [
      'Outlook for Mac',
      '发件人: {name} <{address}>\n日期: 星期二, 2024年3月12日 10:04\n收件人: 王芳 <wang@b.example>\n主题: Re: 订单4711',
    ],
    [
      'NetEase',
      '---- 回复的原邮件 ----\n| 发件人 | {name}<{address}> |\n| 发送日期 | 2024年03月12日 10:04 |\n| 收件人 | wang@b.example |\n| 主题 | 订单4711 |',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\n发件人： {name} <{address}>\nDate: 2024年3月12日周二 10:04\nSubject: 订单4711\nTo: <wang@b.example>',
    ],
    [
      'Apple Mail',
      '下面是被转发的邮件：\n\n发件人: {name} <{address}>\n主题: 订单4711\n日期: 2024年3月12日 GMT+8 10:04:05\n收件人: wang@b.example',
    ],
    [
      'NetEase',
      '-------- 转发邮件信息 --------\n发件人："{name}" <{address}>\n发送日期：2024-03-12 10:04:05\n收件人：wang@b.example\n主题：订单4711',
    ],
    [
      'Thunderbird',
      '-------- 转发的消息 --------\n主题: \t订单4711\n日期: \tTue, 12 Mar 2024 10:04:05 +0800\n发件人: \t{name} <{address}>\n收件人: \twang@b.example',
    ],
  ],
};
