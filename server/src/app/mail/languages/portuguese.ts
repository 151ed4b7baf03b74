import type { Notice } from '../../../domain/notices.ts'
import { type MailTexts, sentence } from '../mail-words.ts'
import { type PolicyWords, policyMail } from '../policy-mail.ts'
import { shownTime } from '../shown-values.ts'

const locale = 'pt-PT'

const notices: Record<Notice, string> = {
  password_changed: 'a palavra-passe foi alterada e todas as outras sessões foram terminadas',
  password_reset: 'a palavra-passe foi redefinida através de um link e todas as sessões foram terminadas',
  totp_added: 'foi configurada uma aplicação de autenticação',
  totp_removed: 'a aplicação de autenticação foi removida',
  passkey_added: 'foi adicionada uma passkey',
  passkey_removed: 'foi removida uma passkey',
  recovery_codes_made: 'foram criados novos códigos de recuperação',
  recovery_code_used: 'foi usado um código de recuperação',
  sign_in_slowed:
    'alguém introduziu várias vezes palavras-passe ou códigos errados e tem agora de esperar entre tentativas',
}

const policy: PolicyWords = {
  subjects: {
    proposed: (merchant) => `${merchant}: foi proposto relaxar a política de pagamentos reais`,
    agreed: (merchant) => `${merchant}: foi aprovado relaxar a política de pagamentos reais`,
    applied: (merchant) => `${merchant}: a política de pagamentos reais foi relaxada`,
    withdrawn: (merchant) => `${merchant}: foi retirada uma alteração da política de pagamentos reais`,
    superseded: (merchant) =>
      `${merchant}: uma alteração da política de pagamentos reais foi substituída e não se aplicará`,
  },
  rules: {
    maxPayout: 'Máximo por pagamento de saída',
    maxDay: 'Máximo em 24 horas',
    onlyKnownDestinations: 'Só destinos conhecidos',
    approvalsRequired: 'Pessoas que têm de aprovar',
    coolingOffSeconds: 'Horas entre a aprovação e o envio',
    approval: 'Aprovações assinadas com uma passkey',
  },
  values: { yes: 'sim', no: 'não', none: 'nenhum' },
  destination: (place) => `Novo destino permitido: ${place}`,
  by: 'De',
  service: 'o próprio serviço',
  changes: 'A alteração',
  takesEffect: 'Aplica-se',
  colon: ': ',
  missing: (count) =>
    count === 1
      ? 'quando mais uma pessoa a tiver aprovado e o tempo de espera tiver passado'
      : `quando mais ${count} pessoas a tiverem aprovado e o tempo de espera tiver passado`,
  stop: (url) =>
    `Se não esperava esta alteração, retire-a antes de se aplicar e fale com quem a propôs:\n${url}`,
  undo: (url) =>
    `Se não esperava esta alteração, volte a apertar a política, o que se aplica de imediato:\n${url}`,
  look: (url) => `A política em vigor: ${url}`,
}

export const portuguese: MailTexts = {
  policyChange: (notice, url) => policyMail(policy, locale, notice, url),
  roles: {
    owner: 'proprietário',
    admin: 'administrador',
    finance: 'finanças',
    developer: 'programador',
    viewer: 'leitor',
  },
  reset: (link) => ({
    subject: 'Nova palavra-passe para o Sluice',
    text: `Alguém pediu uma nova palavra-passe para a sua conta. Se o pedido foi seu, defina-a aqui no prazo de uma hora:\n\n${link}\n\nO link funciona uma só vez, e só o mais recente é válido. Se o pedido não foi seu, pode ignorar este e-mail.\n`,
  }),
  invitation: (link, merchant, role) => ({
    subject: `Recebeu um convite de ${merchant}`,
    text: `Recebeu um convite para se juntar a ${merchant} no Sluice. A sua função: ${role}. Aceite o convite aqui no prazo de sete dias:\n\n${link}\n\nO link funciona uma só vez, e só o mais recente é válido. Se não esperava este convite, pode ignorar este e-mail.\n`,
  }),
  notice: (notice, url) => ({
    subject: `A sua conta: ${notices[notice]}`,
    text: `${sentence(notices[notice])}.\n\nSe reconhece esta ação, não tem de fazer nada. Caso contrário, defina uma nova palavra-passe em ${url}/dashboard e avise o operador do serviço.\n`,
  }),
  newDevice: ({ at, browser, ip }, url) => ({
    subject: 'A sua conta: início de sessão num novo dispositivo',
    text: `Alguém iniciou sessão na sua conta num dispositivo que ainda não tinha sido usado para ela.\n\nQuando: ${shownTime(locale, at)}\nNavegador: ${browser}\nEndereço IP: ${ip}\n\nSe reconhece este início de sessão, não tem de fazer nada. Caso contrário, termine todas as outras sessões e defina uma nova palavra-passe em ${url}/dashboard/account, e avise o operador do serviço.\n`,
  }),
  passkeyWaits: ({ merchant, person, name, fingerprint, from }, url) => ({
    subject: `${merchant}: o assinador vai confiar noutra passkey`,
    text: `A partir de ${shownTime(locale, from)}, o assinador aceita aprovações de ${merchant} assinadas com esta passkey:\n\nDe: ${person}\nNome: ${name}\nImpressão digital: ${fingerprint}\n\nSe já o esperava, não tem de fazer nada. Caso contrário, retire antes disso a confiança na passkey, na página da política em ${url}/dashboard, e avise o operador do serviço.\n`,
  }),
}
