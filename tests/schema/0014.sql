-- A database as askuser 0.1.0 wrote it (schema 14). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE answer_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    ask BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user (n),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE TABLE "ask" (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 2),
    state TEXT NOT NULL,
    -- When something is next to happen to it by itself.
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT,
    erased_at INTEGER,
    people TEXT
) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1EC65F23A7000BD187FAAAA930F33',1,'local',1,1,1,'closed',NULL,'cli-01a1ec65f1e67000b1af175506c42afb',4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1794967466694,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1EC65F2EE7000A88DFEFC308D95A2',1,'local',2,1,1,'closed',NULL,'cli-01a1ec65f2ec70008014157e682a6d2f',7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1794967466955,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1EC65F3DD70009D65C1E8CAE0FF1C',1,'local',3,1,2,'completed',1794967467973,'cli-01a1ec65f3db7000b181d9a0a73f6aec',10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794967467975,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1EC65F7E17000997C4E7A8CCBD4C7',2,'local',1,1,0,'showing',NULL,'cli-01a1ec65f1e67000b1af175506c42afb',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1EC65F7F67000812212F75F6852F5',1,'local',4,1,0,'showing',NULL,'cli-01a1ec65f7f47000908ac05b86dd6743',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWHTE00BT63ZNAN963SK","owner":"local","asked_by":"01a1ec65f2257000affe2d478a515396","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1ec65f1e67000b1af175506c42afb","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1794967466554,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWQEE00AH3FYZGR8V5D2","owner":"local","asked_by":"01a1ec65f2257000affe2d478a515396","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1ec65f2ec70008014157e682a6d2f","reply_in":"full"},"fingerprint":"1:9ae0d48533e19615a4abe951fc32041b","asked_at":1794967466734,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWYXE009TSE1X35E1ZRW","owner":"local","asked_by":"01a1ec65f2257000affe2d478a515396","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"idempotency_key":"cli-01a1ec65f3db7000b181d9a0a73f6aec","reply_in":"full"},"fingerprint":"1:e14d9cc2830057dbba52ae0addca2db6","asked_at":1794967466973,"deadline":1794967467973,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7P6BXZ1E00V8FEB1JAGTR5V","ask":"ask_01M7P6BXZ1E009JZ2EFA6CQN67","owner":"local","asked_by":"01a1ec65f2257000affe2d478a515396","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1ec65f1e67000b1af175506c42afb","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1794967468001,"state":"pending","reopens":"ask_01M7P6BWHTE00BT63ZNAN963SK"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BXZPE00828GJYXFPGMQN","owner":"local","asked_by":"01a1ec65f2257000affe2d478a515396","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1ec65f7f47000908ac05b86dd6743","reply_in":"full"},"fingerprint":"1:391ecd9a2e12fff21079ed83998649db","asked_at":1794967468022,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(1,'q5',5);
INSERT INTO "ask_question" VALUES(2,'q1',4);
CREATE TABLE browser (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE confirmed_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, digest)
) STRICT;
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    -- The proof of whoever made its link: `terminal`, `cookie`, `key_file`, `as_person`.
    made_with TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What the browser says of itself.
    user_agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    -- Up to when its person was told, in this browser, of others that signed in.
    told_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1794967466554,'session_opened',1,NULL,NULL,X'5F4D2E8117A7ECC6FBB5601CC64FD67B',X'A592F64ABEADED139756CD13AB0A564D8554CAB0837C08EBDAB0B58A857FB28A',X'CEDDE3F86E8554A32032CF93E7225E7034C54ED8968E3AA542D12BE558BAFD13','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1794967466554,"last_activity":1794967466554}');
INSERT INTO "fact" VALUES(2,1794967466554,'asked',1,1,1,X'C6AC50F13F04E23454BB96BD88EEC7BE',X'D2F1BD71AABDE8AF9708893F4F981639E027E759495BBF748BBC87C4AB075CCC',X'D3B897D93DEC85811B8C0635AA161609218A2E91D1E9270CCB28524918794F4D',NULL);
INSERT INTO "fact" VALUES(3,1794967466554,'shown',1,2,1,X'ABE0F8765EE91C7C1EC812CD2ED957B4',X'FB2A75A5D2E5E59837D02A63C6D1CBD177A49EF5615225B34A063968B532EDA6',X'058E24261CEA3B3E0867F1056E4057B3FF73ADCB698824D495CD74A09E768672','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWHTE00BT63ZNAN963SK"}');
INSERT INTO "fact" VALUES(4,1794967466694,'closed',1,3,1,X'55B5C98D7D0C4F4ADD34DD9C99D3E5E5',X'A955BAD18CB97E7682EF57D0B6979665D0BCFBC8F48908910EBC998CAB0D873A',X'7C482661CC2157E96618AC8D78F459FEE7751584D8D50090A31BBCA944CEA64B','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWHTE00BT63ZNAN963SK","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1794967466694,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1794967466734,'asked',1,4,2,X'EF31EF3EE9539BAA85659C02EDFB38A3',X'341C3D0D014F96694CFE31723A05FEBF29D3E7AED9CE86D1A667E115F074E1C4',X'66564F6D036481FF220B6499FAC0B3A85CE0B79AC9D01F0F22D296110CE8250D',NULL);
INSERT INTO "fact" VALUES(6,1794967466734,'shown',1,5,2,X'36602EAF066E250239C9DC21C4B65177',X'C1005AC5707ED579516F001952566283AE4BDBFCB7F641CE18227B9E6962D3CE',X'975D3F146D3EE97572F44EB7F2818754BE8E11D179B10BBAC40326EC5981DE99','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWQEE00AH3FYZGR8V5D2"}');
INSERT INTO "fact" VALUES(7,1794967466955,'closed',1,6,2,X'BECBE797C0F2FBA02B1925446518D943',X'8F1307DE31857B1F1BF808EF62DE0396476C87D8DA6BFC62468EB913B3133E3E',X'0F1976CCE869220B1BB5635F6B940845B7D6CAD2464585C6EB56AD129BB26ED5','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWQEE00AH3FYZGR8V5D2","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1794967466955,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1794967466973,'asked',1,7,3,X'D16032EC59442E078617828F6E4900FF',X'8AAD9B02A490D58CF401DD9E543B93CEA664C8D5990D1FEFF431899DF27F53DF',X'7A3762B60E2C8B8BB4E7E2037636237FED3D9EEBD7E70C76D55C91E6C7E2A039',NULL);
INSERT INTO "fact" VALUES(9,1794967466973,'shown',1,8,3,X'3E349BDA6399EAF68731D17B587A8ED0',X'04DDFC7F35A7DB0E2C27157DE4A6A80B65B91E8EDDE08791C73C0773FC4FBC48',X'5BFD209D97B3EC3D17600EABD518C2BB67BC279D3410ACD52536DF8A93A61B96','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWYXE009TSE1X35E1ZRW"}');
INSERT INTO "fact" VALUES(10,1794967467975,'closed',1,9,3,X'49B40F9AA635140501FA202DADB8F510',X'F849D7FF90653E65B46E467211947A8E4BD259596FF4E0A8FDDB1D4046BE2EFB',X'8D4AA99484A32CFAA2BCFA647475A92A17D8040906C8D244DA57114E97F2B684','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWYXE009TSE1X35E1ZRW","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794967467975,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1794967467980,'delivered',1,10,3,X'581211DE94492966289478D0CA6818DD',X'3E18AEE07C94580EF0CEDBE4C355E806318C499E8DBD478D59348FC683E54959',X'C01C923844B9384300B79D1A65CCA3DDEB78CD18464D3AA3D402AB680258ECBD','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWYXE009TSE1X35E1ZRW"}');
INSERT INTO "fact" VALUES(12,1794967467980,'acknowledged',1,11,3,X'02FE33B8699F46C436BF7C90331F9B87',X'7BAFC606FEA59E692417C2D9FA52098E4B56E4EA38D7F3DA94169036378C25AD',X'877A678C24AC3060C83EB32E375ABEB7F98D40D24D8235EED5AC65A4AE7B841F','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BWYXE009TSE1X35E1ZRW"}');
INSERT INTO "fact" VALUES(13,1794967468001,'session_opened',2,NULL,NULL,X'21A8FD3203DC09D052B073DB79C101E5',X'E39C3D825B791798C3F4CD219CCB20674F8C131CF15176B0473CF4C53C7B508B',X'269385AC42846218F0BCF7B2DEE6EB14E382A349A0FB907F69BF627435886718','{"session":"ses_01M7P6BXZ1E00V8FEB1JAGTR5V","owner":"local","origin":{"restored":"ses_01M7P6BWHTE00VN5VVRAEEYHGP"},"status":"active","round":0,"created_at":1794967468001,"last_activity":1794967468001}');
INSERT INTO "fact" VALUES(14,1794967468001,'asked',2,13,4,X'DF57B29C8AFA7331E74536A3D3EB3FA8',X'1C899C7F1DA23F461A32063857A23D54B7A9F22EA509D9D8CF8F508BD2EADC45',X'A331705F13DD80D855260AD34AFD5D576317DCB22F4043736CFB10288636A2D4',NULL);
INSERT INTO "fact" VALUES(15,1794967468001,'shown',2,14,4,X'6A44E1568F660FA295041469FC7F72E7',X'F94095977AB14F88907BF9F953DA2B9687FBCA01A67C4FEC292D62E16B4CE5E8',X'C4B708F88336D1162028EB4ABA91FCF75CD0678D1C98696DC3C1CE8E2ADED5A8','{"session":"ses_01M7P6BXZ1E00V8FEB1JAGTR5V","ask":"ask_01M7P6BXZ1E009JZ2EFA6CQN67"}');
INSERT INTO "fact" VALUES(16,1794967468022,'asked',1,12,5,X'A29EA8ADE420AA953B914E8A5BA22D86',X'8121BB6D34F58779BAE6B2196BA77EB6BA1EEA47B419ABD0C7DBE8C67BEFC032',X'1FEB7608DA11C21FE8337D78D36399413E33B14FE12EF3FD0AF20E2677055209',NULL);
INSERT INTO "fact" VALUES(17,1794967468022,'shown',1,16,5,X'602542ECB08B97E13A2D001511884A3E',X'FAAE35742DBE65E9592B8447F5D8C3E3F3A31B011F5825876F79ECC6CF496204',X'2B1CCAC71896CDCA24793175B42CC30F4B4AE4BB28B1CCF7520D848B7125629B','{"session":"ses_01M7P6BWHTE00VN5VVRAEEYHGP","ask":"ask_01M7P6BXZPE00828GJYXFPGMQN"}');
INSERT INTO "fact" VALUES(18,1794967468282,'session_opened',3,NULL,NULL,X'5BFE0A960DF08C4E601581058C16F1F0',X'7EF820DA60475E4B9A4D848A6438D9494BE355734295E071CB2B94BBB564E3B2',X'20DCE4DEEA3AFBA17BB8509A010D4A95BC727FA1E460A1AD129DABB65C0D586B','{"session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","owner":"local","origin":"named","status":"active","round":0,"created_at":1794967468282,"last_activity":1794967468282}');
INSERT INTO "fact" VALUES(19,1794967468282,'task_changed',3,18,NULL,X'C03A23C71F7B900D7FF3755BDDEF759B',X'6C24BF5E4C29E5F47A1AA7B8B73AEBB10AFD0A0B45BFAFD00188576BA90DB49C',X'2ED0D87E4EF55C2903AEF1844CBADA08BC3A53D9AF6B19B62893D3F4B6C51AC7','{"session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"task":{"task":"task_01M7P6BY7TE00BNGJSS0MMJ9W5","session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_3W380RY59WYQNE9V78TXEMKRWX","created_at":1794967468282,"changed_at":1794967468282}}');
INSERT INTO "fact" VALUES(20,1794967468282,'said',3,19,NULL,X'90C120A1829B5718EE56A8726C0B9066',X'27169E4E8A2CC7003CF3D763DAC02A56BAC1D2B1EB1DC9FFA889F8B3C7691C21',X'D906E7B7035C610F988A7B87451885896B8D3414ED9694ECCE84D72C7E80D722','{"session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","uuid":"01a1ec65-f8fa-7002-951e-0dc1f38b3b9c","round":0,"at":1794967468282,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(21,1794967468286,'task_changed',3,20,NULL,X'C571892D3EA4DAD9F9121D772A330B24',X'0712AFB6AC60749447783FC4A1C48A15F0B1DBDB48666543B96F7BE3EF39CF4B',X'62D8880AD64394EA1918F88DF97D6B07B0D724B80B5D7EB3271BEBE285C0C6EA','{"session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7P6BY7TE00BNGJSS0MMJ9W5","session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_3W380RY59WYQNE9V78TXEMKRWX","pid":20196,"pid_started":3054266,"created_at":1794967468282,"changed_at":1794967468286}}');
INSERT INTO "fact" VALUES(22,1794967468291,'said',3,21,NULL,X'87599226C53A68540D335908E4B03227',X'DA042818676FB2D3D9423F438BAD9FDAF21EEEF74DB461A2CDD7FBC017393614',X'F55C1405913644246AE007C2E0CE48B153F46C1DB027DCD5D9986FCC5196BAAC','{"session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","uuid":"01a1ec65-f902-7000-9e33-49e4fb6a12c4","parent":"01a1ec65-f8fa-7002-951e-0dc1f38b3b9c","round":0,"at":1794967468291,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(23,1794967468293,'task_changed',3,22,NULL,X'682A612909615715FCFB30BB27FC6A31',X'BDC2685D9DF0FCF160B2656A6CECAB07CD3926C427F95E617AEC4C82C63BB881',X'E2A4EC4704BCD97A81A72C6AA81DA2A80D8EAD5C5C532BA4BEBC2830DE445185','{"session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7P6BY7TE00BNGJSS0MMJ9W5","session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_3W380RY59WYQNE9V78TXEMKRWX","created_at":1794967468282,"changed_at":1794967468293}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,23,X'E2A4EC4704BCD97A81A72C6AA81DA2A80D8EAD5C5C532BA4BEBC2830DE445185');
CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "key" VALUES(1,X'01A1EC65F2257000AFFE2D478A515396',X'4C4A00098A22CF502C368646B5A70291E53C45E988E5463F4885C061C96445A6','agent',1,'local',1794967466533,NULL);
INSERT INTO "key" VALUES(2,X'01A1EC65F226700095BBE01423E20718',X'AD8E68EBFBCA43F2ECB304A2C0455EBAD02B7CD714152D1B57FBDF7714BCDAA9','person',1,'local',1794967466534,NULL);
INSERT INTO "key" VALUES(3,X'01A1EC65F22770009FD00730F3502F87',X'5E4E908E162CD9E15F708998402EA97ACE7AF198D1C09850405C262AF39C1A68','admin',1,'local',1794967466535,NULL);
INSERT INTO "key" VALUES(4,X'01A1EC65F8E6700090A7C88423AC2726',X'21BC62F3185C1B54690DEE0F444C704C1341B32A220A4C9D53460A78211710A9','agent',2,'made by hand',1794967468262,NULL);
CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
, made_with TEXT NOT NULL DEFAULT 'key_file') STRICT;
CREATE TABLE made_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, ask, place)
) STRICT;
CREATE TABLE nudge (
    n INTEGER PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    UNIQUE (ask, person, step, channel)
) STRICT;
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(11,'timing','aa1b71de9212808276bcf7c7d56573313753d4a0ddc0fd25c827bcb3674e08d0',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(12,'standing','af8e51b68d9cd2f6ee8cdc6cc3b36ad047f9f83b61ad64dcf731f309cfc48a87',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(13,'confirming','fad3334da6f4f6ad07fb462fd9c2918d65d184c9c4a79884bfd956bddcf6d8bb',1794967466494,'0.1.0');
INSERT INTO "schema_migration" VALUES(14,'browsers','44b45dfdef2952061e717749048172e48058193706d9cc7854527a831a334d8c',1794967466494,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_event" VALUES(1,1794967466526,'file_changed','medium','{"file":"config.yaml","server":"srv_3W380RY59WYQNE9V78TXEMKRWX","before":null,"after":"be33602bc41af604651291b4aee60df6ab8d3819db808b137bbf2221cd540ff3"}',X'EE815C27DA59B653811A6F7828787721B99279E627E85AE3D11810198C675009');
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,1,X'EE815C27DA59B653811A6F7828787721B99279E627E85AE3D11810198C675009');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER, timeout_ms INTEGER, timeout_policy TEXT) STRICT;
INSERT INTO "session" VALUES(1,X'01A1EC65F23A7001BA977BC29CEF4616','local','conversation',0,'named',NULL,'active',4,NULL,1794967466554,1794967468022,X'4383E1B57F926610B46BB4B43B0C063F',1,1794967468022,1,NULL,17,NULL,NULL);
INSERT INTO "session" VALUES(2,X'01A1EC65F7E17001B43DCB0C950D60BB','local',NULL,0,'restored',X'01A1EC65F23A7001BA977BC29CEF4616','active',1,NULL,1794967468001,1794967468001,X'1F82F148ADC411585B2E49E9947EE856',1,1794967468001,1,NULL,15,NULL,NULL);
INSERT INTO "session" VALUES(3,X'01A1EC65F8FA7001AC1504A5D313C995','local',NULL,0,'named',NULL,'active',0,NULL,1794967468282,1794967468293,NULL,NULL,NULL,0,NULL,23,NULL,NULL);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1EC65F8FA7000BAC259C829492785','local','failed','{"task":"task_01M7P6BY7TE00BNGJSS0MMJ9W5","session":"ses_01M7P6BY7TE00TR584MQ9H7JCN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_3W380RY59WYQNE9V78TXEMKRWX","created_at":1794967468282,"changed_at":1794967468293}',X'01A1EC65F90270009E3349E4FB6A12C4',X'7C1A018F153CF5EAE4ECE8D75D49E39D');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1794967466529,NULL);
INSERT INTO "user" VALUES(2,'ben',1794967468245,NULL);
CREATE TABLE watched_file (
    n INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    UNIQUE (server, name)
) STRICT;
INSERT INTO "watched_file" VALUES(1,'srv_3W380RY59WYQNE9V78TXEMKRWX','config.yaml',X'BE33602BC41AF604651291B4AEE60DF6AB8D3819DB808B137BBF2221CD540FF3',1794967466526);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_user ON browser (user);
CREATE INDEX made_rule_mark ON made_rule (person, mark);
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX cookie_user ON cookie (user);
COMMIT;
