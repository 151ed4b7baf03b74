// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A plain ERC-20 token. A second deployment serves as a fake with the same symbol.
contract PlainToken {
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        balances[msg.sender] = supply;
    }

    function balanceOf(address owner) public view virtual returns (uint256) {
        return balances[owner];
    }

    function transfer(address to, uint256 value) public virtual returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public virtual returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) internal virtual {
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}
